/** A stand-in for an application's own accounts: pick one, and you are signed in as that person. */
export interface DemoUser {
  /** The application's stable id of its user: what the service gets as `externalSubjectId`. */
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

export const DEMO_USERS: readonly DemoUser[] = [
  { id: "user-mara", name: "Mara Lindqvist", role: "Makes films about slow travel" },
  { id: "user-jonas", name: "Jonas Okafor", role: "Cooks in sixty seconds" },
  { id: "user-yuki", name: "Yuki Tanaka", role: "Photographs cities at night" },
];

export function userById(id: string | undefined): DemoUser | undefined {
  return DEMO_USERS.find((user) => user.id === id);
}
