import { foresightJudge } from '../../runtime/explanation/index.js';
import type { Judge } from '../../runtime/guard/index.js';
import type { Specification } from './specification.js';

/** The judges of a specification that stand beside the guard of its rules: what foresees calls by what is declared of them, if the specification says so (`foresight`). */
export function judgesBeside(specification: Specification): readonly Judge[] {
  return specification.foresight === null ? [] : [foresightJudge(specification)];
}
