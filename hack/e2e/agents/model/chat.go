package model

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// chat implements the Chat Completions API as OpenCode uses it for custom providers.
type chat struct{}

type chatBody struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		ToolCalls json.RawMessage `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
}

func (chat) read(body []byte, r *Request) error {
	var b chatBody
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	for _, m := range b.Messages {
		content := text(m.Content)
		if len(m.ToolCalls) > 0 {
			content += "\n" + string(m.ToolCalls)
		}
		if m.Role == "system" && len(r.Messages) == 0 {
			r.System += content + "\n"
			continue
		}
		r.Messages = append(r.Messages, Message{m.Role, content})
	}
	for _, t := range b.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	return nil
}

func (chat) answer(w http.ResponseWriter, r *Request, t Turn, id int) error {
	var b chatBody
	if err := json.Unmarshal(r.Body, &b); err != nil {
		return err
	}
	finish := "stop"
	calls := []map[string]any{}
	for i, c := range t.Calls {
		finish = "tool_calls"
		calls = append(calls, map[string]any{
			"index": i, "id": fmt.Sprintf("call_scripted%04d%02d", id, i), "type": "function",
			"function": map[string]any{"name": c.Tool, "arguments": string(c.arguments())},
		})
	}
	tokens := max(t.InputTokens, 100)
	usage := map[string]any{"prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10}
	name := fmt.Sprintf("chatcmpl-scripted%04d", id)
	if b.Stream {
		return streamChat(w, map[string]any{"id": name, "object": "chat.completion.chunk", "created": r.Time.Unix(), "model": b.Model}, t.Text, calls, finish, usage)
	}
	message := map[string]any{"role": "assistant", "content": t.Text}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return writeJSON(w, http.StatusOK, map[string]any{
		"id": name, "object": "chat.completion", "created": r.Time.Unix(), "model": b.Model, "usage": usage,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
	})
}

func streamChat(w http.ResponseWriter, chunk map[string]any, text string, calls []map[string]any, finish string, usage map[string]any) error {
	e := newEvents(w)
	send := func(delta map[string]any, finish any) {
		chunk["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
		e.send("", chunk)
	}
	send(map[string]any{"role": "assistant", "content": ""}, nil)
	if text != "" {
		send(map[string]any{"content": text}, nil)
	}
	for _, c := range calls {
		send(map[string]any{"tool_calls": []any{c}}, nil)
	}
	send(map[string]any{}, finish)
	chunk["choices"], chunk["usage"] = []any{}, usage
	e.send("", chunk)
	if e.err == nil {
		_, e.err = fmt.Fprint(w, "data: [DONE]\n\n")
	}
	return e.err
}
