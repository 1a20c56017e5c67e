/** `foreguard/guard`: only what runs with an agent. */
export { createProposal } from '../../runtime/guard/index.js';
export * from './lists/guard.js';
