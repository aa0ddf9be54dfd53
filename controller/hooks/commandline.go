package hooks

import (
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// commandLine is a command line as it was read: once for an event, and interpreted once.
type commandLine struct {
	text     string
	line     command.Line
	readable bool
	reading  *command.Reading // nil until it is asked for
}

func parsedLine(text string) *commandLine {
	l := &commandLine{text: text}
	l.line, l.readable = command.Parse(text)
	return l
}

// runs fills in a command line: one that does nothing but run idumb governs.
func (e *Event) runs(text string) {
	e.Command, e.parsed = text, parsedLine(text)
	if e.parsed.line.Governance() {
		e.Action = admission.Governance
	}
}

// describeCommand fills in the command line of a call.
func (e *Event) describeCommand(text string) {
	if e.runs(text); text == "" {
		e.Unread = "The call has no command as a text."
	}
}

// commandLine is the event's command line.
func (h *handler) commandLine() *commandLine {
	if l := h.event.parsed; l == nil || l.text != h.event.Command {
		h.event.parsed = parsedLine(h.event.Command)
	}
	return h.event.parsed
}

// interpreted is what the event's command line comes to, which runs in at's folder.
func (h *handler) interpreted(at resolver) command.Reading {
	l := h.commandLine()
	if l.reading == nil {
		reading := l.line.Read(h.place(at))
		l.reading = &reading
	}
	return *l.reading
}
