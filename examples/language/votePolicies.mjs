/** Ways to decide from the votes: each says what is taken without a question, and whether a question finds the rest. */
export const POLICIES = [
  {
    name: 'more than half agree, else nothing',
    isTaken: ({ outcome }) => outcome === 'right' || outcome === 'wrong',
    isFound: () => false,
  },
  {
    name: 'more than half agree, else a question between the two largest classes',
    isTaken: ({ outcome }) => outcome === 'right' || outcome === 'wrong',
    isFound: ({ firstTwo }) => firstTwo,
  },
  {
    name: 'all agree, else a question between the two largest classes',
    isTaken: ({ unanimous }) => unanimous,
    isFound: ({ firstTwo }) => firstTwo,
  },
];

export const [, MOST_OR_ASK] = POLICIES;

/** How many are taken and right, taken and wrong, neither, and right in the end. */
export function decided({ isTaken, isFound }, outcomes) {
  const taken = outcomes.filter(isTaken);
  const right = taken.filter(({ outcome }) => outcome === 'right').length;
  const left = outcomes.filter((one) => !isTaken(one));
  return {
    right,
    wrong: taken.length - right,
    left: left.length,
    end: right + left.filter(isFound).length,
  };
}
