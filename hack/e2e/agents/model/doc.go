// Package model is a scripted replacement for the model of a coding agent. It is a server on
// loopback that implements the three APIs that the agents' clients use (Anthropic Messages, OpenAI
// Chat Completions, OpenAI Responses), records every complete request, and answers from a script.
//
// A script is a list of lanes. A lane contains the answers for one participant in the conversation,
// in order: the main agent, a subagent, or the summarizer of a compaction. A request is answered by
// the first lane whose Match function returns true. A step can check the request and report a
// failure. It can also run an action before it answers, such as editing a file like a user would,
// or waiting for another client. The client waits for its answer during the action.
package model
