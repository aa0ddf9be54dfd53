// Package hosts converts the events of agent hosts to Event, and an Answer to
// the format of the host. It does not depend on repositories. A new host needs
// one file that converts bytes to Event and Answer to bytes, a table of its
// tools, and an entry in the list of hosts.
//
// A host opens its gate on an answer that it does not understand. Therefore
// Encode writes only fields that the host knows. GuessGate tells whether input
// that cannot be parsed may ask for a decision.
package hosts
