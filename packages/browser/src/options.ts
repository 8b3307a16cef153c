/** Names and values of a form, posted unchanged. */
export type ConnectFields = Readonly<Record<string, string>>;

/** The request that starts an attempt: a form of the page, or the same as data. */
export type ConnectRequest = ConnectForm | { readonly action: string; readonly fields?: ConnectFields };

/** A form of the page. Its method is POST. */
export interface ConnectForm {
  /** Its fields are read when Connect starts. */
  readonly form: HTMLFormElement;
  /** The button that was pressed, whose name and value belong to the request. */
  readonly submitter?: HTMLElement | null | undefined;
}

/** How Connect runs. */
export interface ConnectOptions {
  /** `popup` by default. A blocked popup becomes `redirect`, which uses this page, unless it is in a frame. */
  readonly mode?: "popup" | "redirect" | undefined;
  /** The width of the popup in CSS pixels; 560 by default. */
  readonly width?: number | undefined;
  /** The height of the popup in CSS pixels; 760 by default. */
  readonly height?: number | undefined;
  /**
   * Posts the id of the launch under this name, so that your backend can store it with the attempt and `findAttempt` can
   * ask for it.
   */
  readonly launchIdField?: string | undefined;
  /**
   * Asks your backend for the session id of the attempt of this launch, if the attempt has ended; null if not. Called while the
   * launch waits, first after 2 seconds and then less and less often, because there are pages that no message of the window
   * reaches. An error counts as null. Needs `launchIdField`.
   */
  readonly findAttempt?: ((launchId: string) => Promise<string | null>) | undefined;
  /**
   * Called if the window returns after the outcome `unknown`. Without this function the window then shows the result itself. The
   * buttons call `onOutcome` instead.
   */
  readonly onLateReturn?: ((sessionId: string) => void) | undefined;
  /** Cancels the launch and closes its window. */
  readonly signal?: AbortSignal | undefined;
}

/** The request in the form in which it is sent. */
export interface PreparedRequest {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export function prepareRequest(request: ConnectRequest): PreparedRequest {
  if (!("form" in request)) return { action: request.action, fields: Object.entries(request.fields ?? {}) };
  const { form, submitter } = request;
  const fields = [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string");
  const name = submitter?.getAttribute("name");
  if (name) fields.push([name, submitter?.getAttribute("value") ?? ""]);
  // The attributes, because a field named "action" hides the property.
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  return { action, fields };
}

/** Posts a request from this page into a window. */
export function postForm({ action, fields }: PreparedRequest, target: string): void {
  const form = Object.assign(document.createElement("form"), { method: "post", action, target, hidden: true });
  for (const [name, value] of fields) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  // A field named "submit" hides the method.
  HTMLFormElement.prototype.submit.call(form);
  form.remove();
}
