/**
 * Held by cases that send dozens of requests at the same moment: each is to see how the service counts, and all of them
 * together would only see how much one machine can do.
 */
export const BURST = "dozens of requests at once";
