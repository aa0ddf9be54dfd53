package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Message is one entry of a conversation, as text.
type Message struct {
	Role string // system, developer, user, assistant, tool
	Text string
}

// Request is one request to the model, in no dialect's own words.
type Request struct {
	N      int       // counts from 1
	Time   time.Time // when it came
	Lane   string    // who answered it
	Header http.Header
	Body   json.RawMessage
	System string // the system prompt, also called instructions
	// Told says that the system prompt is another one than in the conversation's last
	// request. It is known of clients that name the conversation (OpenCode).
	Told     bool
	Messages []Message
	Tools    []string // names of the tools on offer
}

// New is what was added since the model last spoke: results of tools, what a
// person wrote, what hooks put in, a system prompt that says something else.
func (r *Request) New() string {
	i := len(r.Messages)
	for i > 0 && r.Messages[i-1].Role != "assistant" {
		i--
	}
	if r.Told {
		return r.System + "\n" + join(r.Messages[i:])
	}
	return join(r.Messages[i:])
}

// Conversation is the client's name of the conversation, "" if it tells none.
func (r *Request) Conversation() string { return r.Header.Get("x-session-id") }

// First is what stood there before the model spoke for the first time: the prompt
// of a subagent, and what hooks added to it.
func (r *Request) First() string {
	i := 0
	for i < len(r.Messages) && r.Messages[i].Role != "assistant" {
		i++
	}
	return join(r.Messages[:i])
}

// All is everything that the model was sent, the system prompt first.
func (r *Request) All() string { return r.System + "\n" + join(r.Messages) }

// Offers reports whether a tool is on offer.
func (r *Request) Offers(tool string) bool {
	for _, t := range r.Tools {
		if t == tool {
			return true
		}
	}
	return false
}

// Subagent is the client's mark of a subagent's request, "" for the main agent.
func (r *Request) Subagent() string {
	for _, name := range []string{"x-claude-code-agent-id", "x-openai-subagent", "x-parent-session-id"} {
		if v := r.Header.Get(name); v != "" {
			return v
		}
	}
	return ""
}

func join(messages []Message) string {
	var texts []string
	for _, m := range messages {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}

// text flattens what dialects put where text may stand: a string, a list of
// parts, or a part that holds text, content or output.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		var parts []string
		for _, item := range list {
			parts = append(parts, text(item))
		}
		return strings.Join(parts, "\n")
	}
	var part map[string]json.RawMessage
	if json.Unmarshal(raw, &part) != nil || part == nil {
		return ""
	}
	for _, field := range []string{"text", "content", "output", "encrypted_content"} {
		if v, ok := part[field]; ok {
			return text(v)
		}
	}
	return string(raw)
}

// dialect is one way of asking a model and of answering.
type dialect interface {
	// read fills in what the body says.
	read(body []byte, r *Request) error
	// answer writes a turn. id is unique among the answers of a server.
	answer(w http.ResponseWriter, r *Request, t Turn, id int) error
}

// dialects is the table of dialects, by the end of the path that they are asked at.
var dialects = []struct {
	path string
	dialect
}{
	{"/v1/messages", anthropic{}},
	{"/chat/completions", chat{}},
	{"/responses", responses{}},
}

// dialectOf finds the dialect that a request is asked in.
func dialectOf(r *http.Request) (dialect, bool) {
	if r.Method != http.MethodPost || r.URL.Host != "" {
		return nil, false
	}
	for _, row := range dialects {
		if strings.HasSuffix(r.URL.Path, row.path) {
			return row.dialect, true
		}
	}
	return nil, false
}

// events writes server-sent events.
type events struct {
	w   http.ResponseWriter
	err error
}

func newEvents(w http.ResponseWriter) *events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return &events{w: w}
}

// send writes one event; an unnamed one if name is "".
func (e *events) send(name string, data any) {
	if e.err != nil {
		return
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		e.err = err
		return
	}
	if name != "" {
		_, e.err = fmt.Fprintf(e.w, "event: %s\n", name)
	}
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.w, "data: %s\n\n", encoded)
	}
}
