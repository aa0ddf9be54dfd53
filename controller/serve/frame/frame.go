// Package frame encodes and decodes the messages between a hook and the
// controller. A question has this form:
//
//	IDUMB/1 claude v1.2.3        protocol, host, version of the client
//	cwd=/home/ann/shop           working directory, then relevant variables
//	HOME=/home/ann
//	                             an empty line, then the event until the end
//
// An answer has this form:
//
//	OK 0 120 0                   exit status, length of stdout and of stderr
//	...                          both contents, without a separator
//
// A line WAIT may precede the answer, see Waiting. Any other answer, such as
// "NO <why>", tells the hook to compute the answer itself. The hook loads this
// package at each tool call, so it imports only the cheapest packages of the
// standard library.
package frame

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Protocol is the version of the message format. Messages of another version
// are rejected, and the hook computes the answer itself.
const Protocol = 1

// Timeout is the timeout of a hook for its answer. After it the hook computes
// the answer itself, so a later answer must have no side effects.
const Timeout = 100 * time.Millisecond

// Waiting is the line with which the controller announces that an answer takes
// longer, for example while it packs. The hook then waits for up to
// WorkTimeout. A controller that hangs does not send it.
const Waiting = "WAIT\n"

// WorkTimeout is the timeout of a hook for an announced answer.
const WorkTimeout = 400 * time.Millisecond

// Limits, in bytes.
const (
	MaxHead   = 64 << 10 // a question without its event
	MaxEvent  = 64 << 20 // much larger than any file that an agent writes at once
	MaxAnswer = 16 << 20 // each of standard output and standard error
)

// name is the first word of every question.
const name = "IDUMB"

// protocolName is the name of the protocol.
var protocolName = name + "/" + strconv.Itoa(Protocol)

// ErrProtocol means that the message is not a question in this protocol. Its
// text ends with the supported protocol, so that a client of any version learns
// whether it is older.
var ErrProtocol = errors.New("frame: the question is not asked in protocol " + protocolName)

// IsRelevant reports whether an environment variable can change a hook's answer.
// Hooks send only these variables, and the controller uses no others.
func IsRelevant(variable string) bool {
	switch variable {
	case "HOME", "USERPROFILE", "AppData", "XDG_CONFIG_HOME", "TMPDIR", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR":
		return true
	}
	return strings.HasPrefix(variable, "IDUMB_")
}

// RelevantEnv returns the variables of env that can change a hook's answer. env
// has the format of os.Environ.
func RelevantEnv(env []string) []string {
	var all []string
	for _, pair := range env {
		if variable, _, ok := strings.Cut(pair, "="); ok && IsRelevant(variable) {
			all = append(all, pair)
		}
	}
	return all
}

// Getenv returns the value of a variable in env. The last definition counts. It
// returns "" if the variable is not set.
func Getenv(env []string, variable string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(env[i], "="); ok && key == variable {
			return value
		}
	}
	return ""
}
