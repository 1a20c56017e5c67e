export { mailbox, mailGuard, mailTools, recordings } from '../../../examples/mail/mail.mjs';
