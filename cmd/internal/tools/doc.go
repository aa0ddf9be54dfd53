// Package tools is what agents call over MCP: govern_plan, govern_task,
// govern_delegate, govern_shell, anchor and mem. Each tool is a thin file over
// the functions that the commands use; what a tool may do is judged by the same
// rules as the command line that does the same.
//
// The package knows no protocol: it takes a tool's name and its arguments as
// JSON, and answers with a short JSON object. A good answer is
//
//	{"status":"success","name":...,"uid":...}
//
// and every other one has four parts, of which useInstead is one step that works
// as printed:
//
//	{"status":"error","what":...,"why":...,"useInstead":...,"evidence":...}
package tools
