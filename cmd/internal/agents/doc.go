// Package agents puts our hooks into the settings of coding agents, and takes
// out exactly that again. Settings belong to people: what they wrote stays, byte
// for byte, with its order and its spacing; only our own entries come and go.
package agents
