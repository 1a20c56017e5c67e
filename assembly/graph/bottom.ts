import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { NONE } from "./scc";

/**
 * Keeps, of `count` strongly connected components of all states, those that no transition leaves, numbered in the same order:
 * `componentOf` becomes their number, and NONE elsewhere. `numbers`: u32[count], scratch. Returns how many there are.
 */
export function bottomComponents(chain: Chain, count: u32, componentOf: usize, numbers: usize): u32 {
  memory.fill(numbers, 0, <usize>count << 2);
  for (let s: u32 = 0; s < chain.states; ++s) {
    const component = u32At(componentOf, s);
    const end = u32At(chain.rowStart, s + 1);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      if (u32At(componentOf, u32At(chain.columns, e)) != component) setU32(numbers, component, NONE);
    }
  }
  let found: u32 = 0;
  for (let c: u32 = 0; c < count; ++c) {
    if (u32At(numbers, c) != NONE) setU32(numbers, c, found++);
  }
  for (let s: u32 = 0; s < chain.states; ++s) setU32(componentOf, s, u32At(numbers, u32At(componentOf, s)));
  return found;
}
