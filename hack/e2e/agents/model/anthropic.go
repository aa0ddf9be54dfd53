package model

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// anthropic implements the Messages API as Claude Code uses it.
type anthropic struct{}

type anthropicBody struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"tools"`
}

func (anthropic) read(body []byte, r *Request) error {
	var b anthropicBody
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	r.System = text(b.System)
	for _, m := range b.Messages {
		r.Messages = append(r.Messages, Message{m.Role, text(m.Content)})
	}
	for _, t := range b.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	return nil
}

func (anthropic) answer(w http.ResponseWriter, r *Request, t Turn, id int) error {
	var b anthropicBody
	if err := json.Unmarshal(r.Body, &b); err != nil {
		return err
	}
	blocks := []map[string]any{}
	if t.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": t.Text})
	}
	stop := "end_turn"
	for i, c := range t.Calls {
		stop = "tool_use"
		blocks = append(blocks, map[string]any{
			"type": "tool_use", "id": fmt.Sprintf("toolu_scripted%04d%02d", id, i), "name": c.Tool, "input": c.arguments(),
		})
	}
	message := map[string]any{
		"id": fmt.Sprintf("msg_scripted%04d", id), "type": "message", "role": "assistant", "model": b.Model,
		"content": blocks, "stop_reason": stop, "stop_sequence": nil, "usage": anthropicUsage(t, 20),
	}
	if !b.Stream {
		return writeJSON(w, http.StatusOK, message)
	}
	return streamAnthropic(w, message, blocks, stop, t)
}

func anthropicUsage(t Turn, output int) map[string]any {
	return map[string]any{
		"input_tokens": max(t.InputTokens, 100), "output_tokens": output,
		"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
	}
}

func streamAnthropic(w http.ResponseWriter, message map[string]any, blocks []map[string]any, stop string, t Turn) error {
	e := newEvents(w)
	message["content"], message["stop_reason"], message["usage"] = []any{}, nil, anthropicUsage(t, 1)
	e.send("message_start", map[string]any{"type": "message_start", "message": message})
	for i, block := range blocks {
		start, delta := anthropicBlock(block)
		e.send("content_block_start", map[string]any{"type": "content_block_start", "index": i, "content_block": start})
		e.send("content_block_delta", map[string]any{"type": "content_block_delta", "index": i, "delta": delta})
		e.send("content_block_stop", map[string]any{"type": "content_block_stop", "index": i})
	}
	e.send("message_delta", map[string]any{
		"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 20},
	})
	e.send("message_stop", map[string]any{"type": "message_stop"})
	return e.err
}

// anthropicBlock returns the two events that stream a block: the empty block, then its complete
// content.
func anthropicBlock(block map[string]any) (start, delta map[string]any) {
	if block["type"] == "text" {
		return map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": block["text"]}
	}
	start = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
	return start, map[string]any{"type": "input_json_delta", "partial_json": string(block["input"].(json.RawMessage))}
}
