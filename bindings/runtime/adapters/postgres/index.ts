/** For the command, which takes an address where it takes a folder. */
export { type PostgresStores, postgresStores } from '../postgres.js';
