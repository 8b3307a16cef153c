/**
 * The part of this process's environment that a program under test needs: where programs are, and Node's compile cache
 * (see `vitest.config.ts`), with which it starts in half of the CPU time.
 */
export const INHERITED_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
