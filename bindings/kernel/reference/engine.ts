import { BitSet } from '../bitSet.js';
import type { Engine, EngineChain } from '../engine.js';
import type { Csr } from '../types.js';
import { findFault, prepare } from './chain.js';
import { canReach, components, prob0, prob1, reachableFrom } from './graph.js';
import { ReferenceSteps } from './steps.js';
import { ReferenceUntil } from './until.js';

/** The kernel in plain TypeScript, written to be read; no slower than it has to be. */
export class ReferenceEngine implements Engine {
  readonly backend = 'reference';

  load(matrix: Csr): ReturnType<Engine['load']> {
    return findFault(matrix) ?? open(matrix);
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
    openUntil: (remain, target) => new ReferenceUntil(chain, remain, target),
    openSteps: (active, target) => new ReferenceSteps(chain, active, target),
    free() {},
  };
}
