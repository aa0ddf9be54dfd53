// Package frame is how a hook asks the controller, byte for byte, for both sides:
//
//	IDUMB/1 claude v1.2.3        protocol, host, version of who asks
//	cwd=/home/ann/shop           the folder, and the variables that decide
//	HOME=/home/ann
//	                             an empty line, and the event until the end of the input
//
// and how the controller answers:
//
//	OK 0 120 0                   exit status, length of standard output and standard error
//	...                          and both, one right behind the other
//
// A line WAIT may come before it, see Waiting. Any other answer, as "NO <why>", means: compute
// it yourself. The hook links this package
// at each tool call, so it uses the cheapest parts of the standard library only.
package frame

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Protocol is the number of the form of questions and answers. Whoever speaks another one
// is not understood: the hook then computes the answer itself.
const Protocol = 1

// Patience is how long a hook waits for its answer. It computes the answer itself from then
// on, so one that comes later must leave no trace.
const Patience = 100 * time.Millisecond

// Waiting is what the controller says first where an answer takes longer, as when it packs: who
// asks then waits until WorkPatience is over. One that hangs does not say it.
const Waiting = "WAIT\n"

// WorkPatience is how long a hook waits at most for an answer that was announced.
const WorkPatience = 400 * time.Millisecond

// Limits, in bytes.
const (
	MaxHead   = 64 << 10 // of a question without its event
	MaxEvent  = 64 << 20 // far more than any file that an agent writes at once
	MaxAnswer = 16 << 20 // of standard output, and of standard error
)

// name begins every question.
const name = "IDUMB"

// spoken is how the protocol is named.
var spoken = name + "/" + strconv.Itoa(Protocol)

// ErrProtocol says that a question is asked in another protocol, or is none. Its text ends with
// the one that is understood: so every version tells who asks whether it is older.
var ErrProtocol = errors.New("frame: the question is not asked in protocol " + spoken)

// Decides reports whether a variable of the environment can change a hook's answer. This is
// the one list of them: a hook sends these, and the controller knows of no others.
func Decides(variable string) bool {
	switch variable {
	case "HOME", "USERPROFILE", "AppData", "XDG_CONFIG_HOME", "TMPDIR", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR":
		return true
	}
	return strings.HasPrefix(variable, "IDUMB_")
}

// Deciding returns those of an environment, as os.Environ gives it, that decide.
func Deciding(env []string) []string {
	var all []string
	for _, pair := range env {
		if variable, _, ok := strings.Cut(pair, "="); ok && Decides(variable) {
			all = append(all, pair)
		}
	}
	return all
}

// Get is the value of a variable in an environment; the last one counts. "" if there is none.
func Get(env []string, variable string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(env[i], "="); ok && key == variable {
			return value
		}
	}
	return ""
}
