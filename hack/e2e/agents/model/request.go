package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Message is one message of a conversation, as text.
type Message struct {
	Role string // system, developer, user, assistant or tool
	Text string
}

// Request is one request to the model, independent of the API.
type Request struct {
	N      int       // counts from 1
	Time   time.Time // when it was received
	Lane   string    // the lane that answered it
	Header http.Header
	Body   json.RawMessage
	System string // the system prompt, also called instructions
	// Told is true if the system prompt differs from the one in the conversation's previous
	// request. It is set only for clients that send the conversation's ID (OpenCode).
	SystemChanged bool
	Messages      []Message
	Tools         []string // names of the offered tools
	Streamed      bool     // the answer is a stream, if only the path of the request shows that
}

// New returns the text that was added after the model's last answer: tool results, user messages,
// texts from hooks, and a changed system prompt.
func (r *Request) New() string {
	i := len(r.Messages)
	for i > 0 && r.Messages[i-1].Role != "assistant" {
		i--
	}
	fresh := join(r.Messages[i:])
	switch {
	case r.SystemChanged:
		return r.System + "\n" + fresh
	case r.Header.Get(interactionHeader) == "conversation-user" && r.First() != fresh: // Copilot puts the context of a resumed session in front of the conversation
		return r.First() + "\n" + fresh
	}
	return fresh
}

// interactionHeader is the header in which Copilot says who begins a turn.
const interactionHeader = "X-Interaction-Type"

// NamesSubagents reports whether the client says in each request whether it comes from a subagent.
func (r *Request) NamesSubagents() bool {
	return r.Header.Get("X-Initiator") == "" && r.Header.Get("X-Goog-Api-Key") == ""
}

// Conversation returns the client's ID of the conversation, or "" if the client sends none.
func (r *Request) Conversation() string { return r.Header.Get("x-session-id") }

// First returns the text before the model's first answer: the prompt of a subagent and the texts
// that hooks added to it.
func (r *Request) First() string {
	i := 0
	for i < len(r.Messages) && r.Messages[i].Role != "assistant" {
		i++
	}
	return join(r.Messages[:i])
}

// All returns everything that was sent to the model, starting with the system prompt.
func (r *Request) All() string { return r.System + "\n" + join(r.Messages) }

// Offers reports whether the request offers a tool.
func (r *Request) Offers(tool string) bool {
	return slices.Contains(r.Tools, tool)
}

// Subagent returns the ID that the client sends in a subagent's requests, or "" for the main agent.
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

// text converts the different forms of text in the APIs to a string: a string, a list of parts, or
// a part with a text, content or output field.
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

// dialect is one API for requests to a model and its answers.
type dialect interface {
	// read fills in the request from the body.
	read(body []byte, r *Request) error
	// answer writes a turn. id is unique among the answers of one server.
	answer(w http.ResponseWriter, r *Request, t Turn, id int) error
}

// dialects contains the supported APIs and the suffixes of their URL paths.
var dialects = []struct {
	path string
	dialect
}{
	{"/v1/messages", anthropic{}},
	{"/chat/completions", chat{}},
	{"/responses", responses{}},
	{":generateContent", gemini{}},
	{streamedContent, gemini{}},
}

// streamedContent is the suffix of the paths of streamed requests in the API of Google's models.
const streamedContent = ":streamGenerateContent"

// dialectOf returns the API of a request.
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

// send writes one event. The event has no name if name is "".
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
