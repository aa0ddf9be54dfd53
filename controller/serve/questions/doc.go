// Package questions answers what commands and tools ask about a repository: each question is
// a function of a Source, which is the controller's cache or what the files say, and of its
// parameters. The answer is the same from both, and can be sent as JSON.
package questions
