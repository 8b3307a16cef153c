/** The settings of a command that only uses the database. */
export const DATABASE_ONLY = { role: "both", needsNoEncryptionKey: true } as const;
