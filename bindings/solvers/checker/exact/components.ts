const NEW = 0;

/**
 * Strongly connected components of a graph on states, successors first. Successors outside the given states are ignored.
 *
 * @see Tarjan 1972, doi:10.1137/0201010
 */
export function* strongComponents(
  states: readonly number[],
  successorsOf: (state: number) => Iterable<number>,
): Generator<number[]> {
  const indexOf = new Map(states.map((state, i) => [state, i]));
  // The number at which a state was found, from 1, and the least such number on a cycle through states found after it.
  const found = new Uint32Array(states.length);
  const low = new Uint32Array(states.length);
  const isOpen = new Uint8Array(states.length);
  const open: number[] = [];
  const path: { node: number; successors: number[] }[] = [];
  let count = 0;
  const enter = (node: number): void => {
    found[node] = low[node] = ++count;
    isOpen[node] = 1;
    open.push(node);
    const successors: number[] = [];
    for (const successor of successorsOf(states[node])) {
      const index = indexOf.get(successor);
      if (index !== undefined) successors.push(index);
    }
    path.push({ node, successors });
  };
  for (let root = 0; root < states.length; root++) {
    if (found[root] === NEW) enter(root);
    while (path.length > 0) {
      const { node, successors } = path[path.length - 1];
      const successor = successors.pop();
      if (successor !== undefined) {
        if (found[successor] === NEW) enter(successor);
        else if (isOpen[successor] === 1) low[node] = Math.min(low[node], found[successor]);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.node;
      if (parent !== undefined) low[parent] = Math.min(low[parent], low[node]);
      if (low[node] !== found[node]) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const member of component) isOpen[member] = 0;
      yield component.map((member) => states[member]);
    }
  }
}
