import type { MdpMatrix } from '../kernel/index.js';
import type { ActionNames, Descriptions } from './descriptions.js';

/** A Markov decision process over states 0..states-1: state s chooses among rows rowGroupStart[s]..rowGroupStart[s+1]-1. */
export interface Mdp extends MdpMatrix, Descriptions {
  readonly type: 'mdp';
  readonly actions?: ActionNames;
}
