import { setU32, u32At } from "../memory";
import { Chain } from "./csr";

/** Fills the predecessor lists: a counting sort of the entries by column, so predecessors ascend. */
export function transpose(chain: Chain): void {
  const starts = chain.predecessorStart;
  const states = chain.states;
  memory.fill(starts, 0, (<usize>states + 1) << 2);
  for (let e: u32 = 0; e < chain.transitions; ++e) {
    const column = u32At(chain.columns, e);
    setU32(starts, column, u32At(starts, column) + 1);
  }
  // starts[t] becomes the end of t's list and moves to its start while the list fills from behind.
  let total: u32 = 0;
  for (let t: u32 = 0; t < states; ++t) {
    total += u32At(starts, t);
    setU32(starts, t, total);
  }
  setU32(starts, states, total);
  for (let s = states; s-- > 0; ) {
    const end = u32At(chain.rowStart, s + 1);
    for (let e = u32At(chain.rowStart, s); e < end; ++e) {
      const column = u32At(chain.columns, e);
      const place = u32At(starts, column) - 1;
      setU32(starts, column, place);
      setU32(chain.predecessors, place, s);
    }
  }
}
