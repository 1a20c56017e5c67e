/**
 * Published formulas of the patterns that do not say what their sentences say: a run, whether the formula allows it, and why that is a fault. Written by hand; a difference that
 * is not on this list counts as wrong.
 */
export const ERRATA = {
  'dac-response-chain-1-2-2': {
    run: ['q p', 's', 't'],
    isAllowed: false,
    why: 'the chain must come at once, not eventually',
  },
  'dac-response-chain-1-2-4': {
    run: ['q p s', 'r', 't'],
    isAllowed: true,
    why: 't comes after the scope has ended',
  },
  'dac-constrained-chain-2': {
    run: ['q p', 's', 't'],
    isAllowed: false,
    why: 'the chain must come at once, not eventually',
  },
  'dac-constrained-chain-4': {
    run: ['q p s', 'r', 't'],
    isAllowed: true,
    why: 't comes after the scope has ended',
  },
  'dac-response-chain-2-1-1': {
    run: ['s', 't', 'r', 'p'],
    isAllowed: true,
    why: 'p comes after the scope has ended',
  },
  'dac-response-chain-2-1-3': {
    run: ['q s', 't', 'r', 'p'],
    isAllowed: true,
    why: 'p comes after the scope has ended',
  },
  'dac-response-chain-2-1-4': {
    run: ['q s', 't', 'r', 'p'],
    isAllowed: true,
    why: 'p comes after the scope has ended',
  },
};
