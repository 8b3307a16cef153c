/** The known values and any other string: the service may add a value in a minor version, and an unknown one is data. */
export type Open<Known extends string> = Known | (string & Record<never, never>);
