import { has, wordsOf } from "../bitSet";
import { f64At, setF64, setU32, u32At } from "../memory";
import { Mdp, NONE } from "../sparse/mdp";
import { setBounds, UNIT_ROUNDOFF } from "./rounding";

/**
 * Which states an optimisation is about, and how they are lumped: block b has states members[memberStart[b]] ..
 * members[memberStart[b + 1] - 1]. Blocks are single states or end components, numbered successors first.
 */
@unmanaged
export class QuotientPlan {
  mdp: Mdp;
  blocks: u32;
  /** What the quotient will have. */
  choices: u32;
  entries: u32;
  /** u32[blocks + 1] */
  memberStart: usize;
  /** u32[members] */
  members: usize;
  /** u32[states]: NONE outside all blocks */
  blockOf: usize;
  /** The rows that may be chosen. */
  rows: usize;
  /** States outside all blocks whose value is 1; those of the others are 0. */
  one: usize;
  /** f64[2 * rows]: bounds of what each row earns; 0 where nothing is earned. */
  rewards: usize;
}

const PLAN: usize = (offsetof<QuotientPlan>() + 7) & ~7;

export function planBytes(mdp: Mdp, blocks: u32, members: u32, rewarded: bool): f64 {
  const sets = <f64>(2 * wordsOf(mdp.states) + wordsOf(mdp.rows));
  const words = <f64>blocks + 1 + <f64>members + <f64>mdp.states + sets;
  return <f64>PLAN + (rewarded ? 16 * <f64>mdp.rows : 0) + 4 * words;
}

/** Lays out a plan in a block of `planBytes` bytes. The caller then fills members, rows, ones and rewards. */
export function layOutPlan(block: usize, mdp: Mdp, blocks: u32, members: u32, rewarded: bool): QuotientPlan {
  const plan = changetype<QuotientPlan>(block);
  plan.mdp = mdp;
  plan.blocks = blocks;
  plan.rewards = rewarded ? block + PLAN : 0;
  plan.memberStart = block + PLAN + (rewarded ? <usize>mdp.rows << 4 : 0);
  plan.members = plan.memberStart + ((<usize>blocks + 1) << 2);
  plan.blockOf = plan.members + (<usize>members << 2);
  plan.rows = plan.blockOf + (<usize>mdp.states << 2);
  plan.one = plan.rows + (<usize>wordsOf(mdp.rows) << 2);
  return plan;
}

export function planMemberStartOf(plan: QuotientPlan): usize {
  return plan.memberStart;
}

export function planMembersOf(plan: QuotientPlan): usize {
  return plan.members;
}

export function planRowsOf(plan: QuotientPlan): usize {
  return plan.rows;
}

export function planOneOf(plan: QuotientPlan): usize {
  return plan.one;
}

export function planRewardsOf(plan: QuotientPlan): usize {
  return plan.rewards;
}

/** Says which block each state is in, and counts the choices and entries of the quotient; returns its bytes. */
export function measureQuotient(plan: QuotientPlan): f64 {
  const mdp = plan.mdp;
  memory.fill(plan.blockOf, 0xff, <usize>mdp.states << 2);
  for (let b: u32 = 0; b < plan.blocks; ++b) {
    const end = u32At(plan.memberStart, b + 1);
    for (let i = u32At(plan.memberStart, b); i < end; ++i) setU32(plan.blockOf, u32At(plan.members, i), b);
  }
  let choices: u32 = 0;
  let entries: u32 = 0;
  for (let row: u32 = 0; row < mdp.rows; ++row) {
    const block = u32At(plan.blockOf, u32At(mdp.stateOf, row));
    if (block == NONE || !has(plan.rows, row)) continue;
    let leaves = false;
    const end = u32At(mdp.rowStart, row + 1);
    for (let e = u32At(mdp.rowStart, row); e < end; ++e) {
      const successor = u32At(plan.blockOf, u32At(mdp.columns, e));
      if (successor == block) continue;
      leaves = true;
      if (successor != NONE) ++entries;
    }
    if (leaves) ++choices;
  }
  plan.choices = choices;
  plan.entries = entries;
  return (
    <f64>QUOTIENT + 12 * <f64>entries + 44 * (<f64>choices + 1) + 24 * <f64>plan.blocks + 8
  );
}

/**
 * The MDP between blocks, states renamed so that they lie in memory in the order in which they are solved. The value of a
 * block is the best over its choices of (gain + sum of entry times successor) / exit; choices that never leave the block are
 * absent, and no set of blocks can be kept for ever (but at infinite cost, where rewards are minimised).
 */
@unmanaged
export class Quotient {
  blocks: u32;
  maximise: bool;
  /** f64[2 * blocks] */
  bounds: usize;
  /** u32[blocks]: the choice that proves the bound which a scheduler can attain: the lower one of a maximum, the upper one of a minimum */
  chosen: usize;
  /** u32[blocks + 1] */
  groupStart: usize;
  /** u32[choices + 1] */
  rowStart: usize;
  /** u32[choices]: the row of the MDP that each was */
  source: usize;
  /** u32[choices]: how many terms were or will be added up in the equation of each */
  terms: usize;
  /** f64[choices]: the probability to leave the block, within 2^-53 relative */
  exit: usize;
  /** f64[2 * choices]: what is gained outside the blocks or earned, lower and upper */
  gain: usize;
  /** f64[choices]: the probability to leave all blocks, a sum of positive numbers */
  outside: usize;
  /** u32[entries] */
  columns: usize;
  /** f64[entries] */
  values: usize;
}

const QUOTIENT: usize = (offsetof<Quotient>() + 7) & ~7;

/** Builds the quotient in a block of as many bytes as `measureQuotient` said. All bounds become 0 and `upper`. */
export function buildQuotient(plan: QuotientPlan, maximise: bool, upper: f64, block: usize): Quotient {
  const quotient = changetype<Quotient>(block);
  const blocks = plan.blocks;
  // One more, without entries: what a last block without choices has for its first one.
  const choices = <usize>plan.choices + 1;
  quotient.blocks = blocks;
  quotient.maximise = maximise;
  quotient.bounds = block + QUOTIENT;
  quotient.exit = quotient.bounds + (<usize>blocks << 4);
  quotient.gain = quotient.exit + (choices << 3);
  quotient.outside = quotient.gain + (choices << 4);
  quotient.values = quotient.outside + (choices << 3);
  quotient.columns = quotient.values + (<usize>plan.entries << 3);
  quotient.chosen = quotient.columns + (<usize>plan.entries << 2);
  quotient.groupStart = quotient.chosen + (<usize>blocks << 2);
  quotient.rowStart = quotient.groupStart + ((<usize>blocks + 1) << 2);
  quotient.source = quotient.rowStart + ((choices + 1) << 2);
  quotient.terms = quotient.source + (choices << 2);

  let choice: u32 = 0;
  setU32(quotient.rowStart, 0, 0);
  for (let b: u32 = 0; b < blocks; ++b) {
    setU32(quotient.groupStart, b, choice);
    setU32(quotient.chosen, b, choice);
    setBounds(quotient.bounds, b, 0, upper);
    const end = u32At(plan.memberStart, b + 1);
    for (let i = u32At(plan.memberStart, b); i < end; ++i) {
      const s = u32At(plan.members, i);
      const groupEnd = u32At(plan.mdp.groupStart, s + 1);
      for (let row = u32At(plan.mdp.groupStart, s); row < groupEnd; ++row) {
        if (has(plan.rows, row) && addChoice(quotient, plan, b, row, choice)) ++choice;
      }
    }
  }
  setU32(quotient.groupStart, blocks, choice);
  setU32(quotient.rowStart, choice + 1, u32At(quotient.rowStart, choice));
  return quotient;
}

/** Writes a row of block `b` as the next choice; false if it never leaves the block. */
function addChoice(quotient: Quotient, plan: QuotientPlan, b: u32, row: u32, choice: u32): bool {
  const mdp = plan.mdp;
  let to = u32At(quotient.rowStart, choice);
  let exit = 0.0;
  let lost = 0.0;
  let gain = 0.0;
  let outside = 0.0;
  let terms: u32 = 0;
  const end = u32At(mdp.rowStart, row + 1);
  for (let e = u32At(mdp.rowStart, row); e < end; ++e) {
    const t = u32At(mdp.columns, e);
    const successor = u32At(plan.blockOf, t);
    if (successor == b) continue;
    const probability = f64At(mdp.values, e);
    ++terms;
    const total = exit + probability;
    const added = total - exit;
    lost += exit - (total - added) + (probability - added);
    exit = total;
    if (successor != NONE) {
      setU32(quotient.columns, to, successor);
      setF64(quotient.values, to, probability);
      ++to;
    } else {
      outside += probability;
      if (has(plan.one, t)) gain += probability;
    }
  }
  if (terms == 0) return false;
  let gainLower = gain;
  let gainUpper = gain;
  if (plan.rewards != 0) {
    // A row whose entries sum to more than 1 is divided by that sum; its equation was multiplied by it.
    const scale = max(1, f64At(mdp.exit, row));
    const error = scale > 1 ? 4 * UNIT_ROUNDOFF : 0;
    gainLower = f64At(plan.rewards, 2 * row) * scale * (1 - error);
    gainUpper = f64At(plan.rewards, 2 * row + 1) * scale * (1 + error);
    ++terms;
  }
  setF64(quotient.exit, choice, exit + lost);
  setF64(quotient.outside, choice, outside);
  setF64(quotient.gain, 2 * choice, gainLower);
  setF64(quotient.gain, 2 * choice + 1, gainUpper);
  setU32(quotient.source, choice, row);
  setU32(quotient.terms, choice, terms);
  setU32(quotient.rowStart, choice + 1, to);
  return true;
}

export function quotientBoundsOf(quotient: Quotient): usize {
  return quotient.bounds;
}

export function quotientGroupStartOf(quotient: Quotient): usize {
  return quotient.groupStart;
}

export function quotientRowStartOf(quotient: Quotient): usize {
  return quotient.rowStart;
}

export function quotientColumnsOf(quotient: Quotient): usize {
  return quotient.columns;
}

export function quotientValuesOf(quotient: Quotient): usize {
  return quotient.values;
}

export function quotientExitOf(quotient: Quotient): usize {
  return quotient.exit;
}

export function quotientTermsOf(quotient: Quotient): usize {
  return quotient.terms;
}

export function quotientChosenOf(quotient: Quotient): usize {
  return quotient.chosen;
}

/** Puts for each block the row of the MDP that was chosen last into `rows` (u32[blocks]). */
export function chosenRows(quotient: Quotient, rows: usize): void {
  for (let b: u32 = 0; b < quotient.blocks; ++b) setU32(rows, b, u32At(quotient.source, u32At(quotient.chosen, b)));
}
