/** The environment variable that says where runs are kept if `--runs` does not: an address with a password is not for the arguments of a process. */
export const RUNS = 'FOREGUARD_RUNS';
