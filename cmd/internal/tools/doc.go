// Package tools implements the tools that agents call over MCP: govern_plan, govern_task,
// govern_delegate, govern_shell, anchor and mem. Each tool is a small file that calls the same
// functions as the commands. Calls are checked by the same rules as the equivalent command line.
//
// The package does not depend on the protocol. It takes a tool's name and its arguments as JSON and
// returns a short JSON object. A successful answer is
//
//	{"status":"success","name":...,"uid":...}
//
// Every other answer has four parts. useInstead is one step that works as printed:
//
//	{"status":"error","what":...,"why":...,"useInstead":...,"evidence":...}
package tools
