import { BitSet } from '../../../bindings/solvers/kernel/bitSet.js';
import type {
  Engine,
  EngineChain,
  EngineIntervals,
  ProductInput,
} from '../../../bindings/solvers/kernel/engine.js';
import type { IntervalRows } from '../../../bindings/solvers/kernel/intervalRows.js';
import type { Csr, MdpMatrix } from '../../../bindings/solvers/kernel/types/index.js';
import { findFault, prepare } from './chain.js';
import { gains } from './gains.js';
import {
  bottomComponents,
  canReach,
  components,
  prob0,
  prob1,
  reachableFrom,
  reachableThrough,
} from './graph.js';
import { openIntervals } from './intervals.js';
import { findMdpFault, openMdp } from './mdp.js';
import { ReferenceProduct } from './product.js';
import { ReferenceSolver } from './solver.js';
import { chainStep, ReferenceSteps } from './steps.js';
import { ReferenceSystem } from './system.js';
import { ReferenceUntil } from './until.js';

/** The kernel in plain TypeScript, written to be read; no slower than it has to be. */
export class ReferenceEngine implements Engine {
  load(matrix: Csr): ReturnType<Engine['load']> {
    return findFault(matrix) ?? open(matrix);
  }

  openProduct(input: ProductInput): ReturnType<Engine['openProduct']> {
    return findFault(input.chain) ?? new ReferenceProduct(input, open);
  }

  loadIntervals(rows: IntervalRows): EngineIntervals {
    return openIntervals(rows);
  }

  loadMdp(matrix: MdpMatrix): ReturnType<Engine['loadMdp']> {
    return findMdpFault(matrix) ?? openMdp(matrix, this.load);
  }

  /** Chains are ordinary objects, whose memory the runtime counts. */
  memoryBytes(): number {
    return 0;
  }
}

function open(matrix: Csr): EngineChain {
  const chain = prepare(matrix);
  return {
    reachableFrom: (seeds) => reachableFrom(chain, seeds),
    canReach: (remain, target) => canReach(chain, remain, target),
    prob0: (remain, target) => prob0(chain, remain, target),
    prob1: (remain, target) => prob1(chain, remain, target),
    components() {
      const found = components(chain, BitSet.full(chain.states));
      const componentOf = new Uint32Array(chain.states);
      for (const [c, members] of found.entries()) for (const s of members) componentOf[s] = c;
      return { count: found.length, componentOf };
    },
    openUntil: (remain, target) => ReferenceUntil.open(chain, remain, target),
    openSolver(remain, target, solve) {
      const until = ReferenceUntil.open(chain, remain, target);
      solve(until);
      return new ReferenceSolver(matrix, until, remain, target, open);
    },
    openSteps: (input) => new ReferenceSteps(input, chainStep(chain)),
    bottomComponents: () => bottomComponents(chain),
    reachableThrough: (through, seeds) => reachableThrough(chain, through, seeds),
    gains: (rewards) => gains(chain, rewards),
    openSystem: (input) => new ReferenceSystem(chain, input),
    free() {},
  };
}
