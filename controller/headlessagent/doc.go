// Package headlessagent runs one headless agent child for one question and stores its
// findings as mems.
//
// A child costs money and uses the network, so only the user's own settings
// allow it (Allowed), never the repository. The child works under a delegation,
// in the role Role, which writes no source files. Its hooks read the delegation
// from admission.DelegationVariable. The question is passed on the child's
// standard input and not in its arguments.
package headlessagent
