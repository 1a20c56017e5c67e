import { guardTools } from 'foreguard/plain';

export const overheads = {
  plain: ({ session, tool, input }) => {
    const { search } = guardTools(session, { search: tool });
    return { unguarded: () => tool(input), guarded: () => search(input) };
  },
};
