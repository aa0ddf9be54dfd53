// Package model is a scripted stand-in for the model behind a coding agent: a
// server on loopback that speaks the three dialects that agents' clients speak
// (Anthropic Messages, OpenAI Chat Completions, OpenAI Responses), keeps every
// request whole, and answers from a script.
//
// A script is a list of lanes. A lane is what one party to the conversation says
// in turn: the main agent, a subagent, the summariser of a compaction. The first
// lane whose Match holds answers a request. A step may look at what the model was
// sent and fail, and may do something of its own before it answers (edit a file as
// a person would, wait for another client): the client waits for its model
// meanwhile.
package model
