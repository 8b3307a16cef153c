/** The environment variable that carries the simulator's options, as JSON. */
export const SIMULATOR_OPTIONS = "SIMULATOR_OPTIONS";
