import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, ParseError } from '../../../bindings/base/errors.js';
import { Random } from '../../../bindings/base/random.js';
import {
  checkGuardFile,
  createGuard,
  type GuardFile,
  loadGuard,
  withTrees,
} from '../../../bindings/runtime/guard/index.js';
import { below, chainGuard, guardFileOf } from '../../laws/actionWorlds.js';

/** As it was before files had trees. */
function withoutTrees({ trees, ...file }: GuardFile): GuardFile {
  expect(trees?.predicates.length).toBe(file.predicates.length);
  return file;
}

describe('a guard file with trees', () => {
  it('makes the guard that its text makes, constraints included', async () => {
    const chain = await chainGuard();
    const constraints = { state: '!(bad && one)', transition: '!(from.two && to.two)', end: undefined };
    const files = [
      withTrees({ ...withoutTrees(chain), constraints } as unknown as GuardFile),
      await chainGuard(),
      await guardFileOf(5, 'predict', `{ formula: 'G !bad', threshold: 0.5 }`),
    ];
    for (const file of files) {
      const text = JSON.stringify(file);
      const guards = [createGuard(file), await loadGuard(text), await loadGuard(withoutTrees(file))];
      const random = new Random(3);
      for (let step = 0; step < 60; step++) {
        const state = random.next() < 0.1 ? {} : { x: below(random, 6) };
        const action = { name: 'abc'[below(random, 3)] };
        const [first, ...others] = guards.map((guard) => {
          const decided = guard.propose(state, action);
          return { decided, words: guard.explain(decided) };
        });
        for (const other of others) expect(other).toEqual(first);
      }
    }
  });

  it('is refused where a tree is missing or damaged, whoever reads it', async () => {
    const file = await chainGuard();
    const [first, ...rest] = file.trees!.predicates;
    const damaged = (predicates: GuardFile['predicates'] | unknown): GuardFile =>
      ({ ...file, trees: { predicates, constraints: {} } }) as GuardFile;
    await expect(loadGuard(damaged([first, ...rest.slice(0, -1)]))).rejects.toThrow(InvalidArgumentError);
    await expect(loadGuard(damaged([['name', 0], ...rest]))).rejects.toThrow(ParseError);
    await expect(loadGuard(damaged('none'))).rejects.toThrow(/trees\.predicates is "none", expected a list/);
    await expect(loadGuard({ ...file, constraints: { state: '!(bad && one)' } })).rejects.toThrow(
      /expected a tree of constraints\.state/,
    );
    expect(() => checkGuardFile(damaged([rest[0], first, ...rest.slice(1)]))).toThrow(
      /trees\.predicates\[0\] is .*, expected the tree of the expression/,
    );
  });
});
