import fc from 'fast-check';
import { seedOfThisRun } from './seed.js';

// `assert` and `sample` alike draw from it, unless they are given a seed of their own.
fc.configureGlobal({ seed: seedOfThisRun() });
