import { guardTools } from 'foreguard/plain';

export const overheads = {
  plain: ({ session, tool, input }) => {
    const { search } = guardTools(session, { search: tool });
    return { without: () => tool(input), within: () => search(input) };
  },
};
