export { mailbox, mailGuard, mailShield, mailTools, recordings } from '../../../examples/mail/mail.mjs';
