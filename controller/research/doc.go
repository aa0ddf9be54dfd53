// Package research runs a question as a headless child of an agent's host, and keeps what it
// finds out.
//
// A child costs money and opens a network, so only the person's own settings allow it
// (Allowed); nothing in a repository can. The child works under a delegation, in the role Role,
// which writes no source; its hooks know that by admission.DelegationVariable. The question
// goes to the child's standard input, and no word of it among its arguments.
package research
