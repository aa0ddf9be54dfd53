package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// responses implements the Responses API as Codex uses it.
type responses struct{}

type responsesBody struct {
	Model        string            `json:"model"`
	Instructions string            `json:"instructions"`
	Input        []json.RawMessage `json:"input"`
	Tools        []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"tools"`
}

func (responses) read(body []byte, r *Request) error {
	var b responsesBody
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	r.System = b.Instructions
	for _, raw := range b.Input {
		var item struct{ Type, Role string }
		if err := json.Unmarshal(raw, &item); err != nil {
			return err
		}
		r.Messages = append(r.Messages, Message{responsesRole(item.Type, item.Role), text(raw)})
	}
	for _, t := range b.Tools {
		name := t.Name
		if name == "" {
			name = t.Type
		}
		r.Tools = append(r.Tools, name)
	}
	return nil
}

// responsesRole returns the role of an item of the input. Items that are not messages do not
// contain a role.
func responsesRole(kind, role string) string {
	switch {
	case role != "":
		return role
	case strings.HasSuffix(kind, "_output"):
		return "tool"
	case kind == "agent_message": // from another agent
		return "user"
	default: // calls, reasoning
		return "assistant"
	}
}

func (responses) answer(w http.ResponseWriter, r *Request, t Turn, id int) error {
	output := responsesItems(t, id)
	response := map[string]any{"id": fmt.Sprintf("resp_scripted%04d", id), "object": "response", "status": "in_progress", "output": []any{}}
	e := newEvents(w)
	e.send("response.created", map[string]any{"type": "response.created", "response": response})
	for i, item := range output {
		e.send("response.output_item.added", map[string]any{"type": "response.output_item.added", "output_index": i, "item": item})
		e.send("response.output_item.done", map[string]any{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	tokens := max(t.InputTokens, 100)
	response["status"], response["output"] = "completed", output
	response["usage"] = map[string]any{
		"input_tokens": tokens, "output_tokens": 20, "total_tokens": tokens + 20,
		"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
	}
	e.send("response.completed", map[string]any{"type": "response.completed", "response": response})
	return e.err
}

func responsesItems(t Turn, id int) []map[string]any {
	output := []map[string]any{}
	if t.Text != "" {
		output = append(output, map[string]any{
			"type": "message", "id": fmt.Sprintf("msg_scripted%04d", id), "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": t.Text, "annotations": []any{}}},
		})
	}
	for i, c := range t.Calls {
		call := fmt.Sprintf("call_scripted%04d%02d", id, i)
		item := map[string]any{"type": "function_call", "id": "fc_" + call, "call_id": call, "name": c.Tool, "arguments": string(c.arguments()), "status": "completed"}
		if c.Freeform != "" {
			item = map[string]any{"type": "custom_tool_call", "id": "ctc_" + call, "call_id": call, "name": c.Tool, "input": c.Freeform, "status": "completed"}
		}
		if c.Namespace != "" {
			item["namespace"] = c.Namespace
		}
		output = append(output, item)
	}
	return output
}
