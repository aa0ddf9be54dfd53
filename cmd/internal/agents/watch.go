package agents

import "strings"

// watch says what is told where our hook gives no answer. Hosts take a hook that is
// gone, fails or hangs for one that has nothing to say, and go on: the gate is open,
// and nobody would know. Watched are the events that come once a session or a turn, so
// that no tool call waits for another process than our own.
type watch struct {
	say  string // text for the host's form of an answer; no single quote stands in it
	gone bool   // also where the hook is not on this machine: told once, at the start
}

// What the agent, or the person, is told.
const (
	goneText   = "iDumb: governance is off in this session, because idumb-hook was not found or failed. Go on, and tell the person."
	silentText = "iDumb: governance did not answer: idumb-hook is there and hangs or fails, so nobody judged the last tool calls. Stop writing and tell the person to run `idumb doctor`."
	silentStop = `{"systemMessage":"iDumb: governance did not answer in this turn: idumb-hook hangs or fails, and nobody judged the tool calls. Run idumb doctor."}`
)

// patienceSeconds is how long a watched hook may take: more than twice its own deadline,
// less than what hosts wait.
const patienceSeconds = "5"

// Around the hook in the line that watches it. A shell gives what it runs in the
// background no input of its own, hence the third file.
const (
	watchBegins = "{ "
	watchEnds   = " <&3 3<&- & "
)

// over is the command that runs another one, kills it when it takes too long, and says
// something in its place if it fails.
func (w watch) over(c Command) Command {
	unless := ""
	if !w.gone {
		unless = "[ $? -eq 127 ] || " // not found: that was said at the start
	}
	hook := c.Program // a line already, where a host takes one line
	if len(c.Args) > 0 {
		hook = c.Line()
	}
	line := watchBegins + hook + watchEnds + "p=$!; (sleep " + patienceSeconds + "; kill -9 $p) </dev/null >/dev/null 2>&1 3<&- & w=$!; " +
		"wait $p 2>/dev/null || " + unless + "echo '" + w.say + "'; kill $w 2>/dev/null || :; } 3<&0"
	if len(c.Args) == 0 { // for a shell that may be any
		return Command{Program: "sh -c '" + strings.ReplaceAll(line, "'", `'\''`) + "'"}
	}
	return Command{Program: "sh", Args: []string{"-c", line}}
}

// watchedLine takes the hook's own line out of one that watches it.
func watchedLine(line string) (hook string, watched bool) {
	_, rest, begins := strings.Cut(line, watchBegins)
	hook, _, ends := strings.Cut(rest, watchEnds)
	return strings.ReplaceAll(hook, `'\''`, "'"), begins && ends
}
