// Package hosts turns what an agent host sends its hook into an Event, and an Answer into what
// that host takes. It knows nothing of repositories: a new host is one file of bytes <->
// Event/Answer with a table of its tools, and a row in the list of hosts.
//
// Everything that a host does not understand opens its gate. So each is answered strictly in the
// fields that it knows, and what cannot be read is told from what does not matter (GuessGate).
package hosts
