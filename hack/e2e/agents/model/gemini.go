package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// gemini implements the API of Google's models as Gemini CLI uses it.
type gemini struct{}

type geminiContent struct {
	Role  string            `json:"role"`
	Parts []json.RawMessage `json:"parts"`
}

type geminiBody struct {
	System   geminiContent   `json:"systemInstruction"`
	Contents []geminiContent `json:"contents"`
	Tools    []struct {
		Functions []struct {
			Name string `json:"name"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
}

// text returns the texts, calls and results in a content.
func (c geminiContent) text() string {
	var all []string
	for _, raw := range c.Parts {
		var part struct {
			Text     string
			Response struct {
				Response map[string]any
			} `json:"functionResponse"`
		}
		switch {
		case json.Unmarshal(raw, &part) != nil:
		case part.Text != "":
			all = append(all, part.Text)
		case part.Response.Response != nil:
			for _, value := range part.Response.Response { // as the model reads it, without JSON's quotes
				all = append(all, fmt.Sprint(value))
			}
		default:
			all = append(all, string(raw))
		}
	}
	return strings.Join(all, "\n")
}

func (gemini) read(body []byte, r *Request) error {
	var b geminiBody
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	r.System = b.System.text()
	for _, c := range b.Contents {
		role := c.Role
		if role == "model" {
			role = "assistant"
		}
		r.Messages = append(r.Messages, Message{role, c.text()})
	}
	for _, t := range b.Tools {
		for _, f := range t.Functions {
			r.Tools = append(r.Tools, f.Name)
		}
	}
	return nil
}

func (gemini) answer(w http.ResponseWriter, r *Request, t Turn, id int) error {
	parts := []any{}
	if t.Text != "" {
		parts = append(parts, map[string]any{"text": t.Text})
	}
	for i, c := range t.Calls {
		parts = append(parts, map[string]any{"functionCall": map[string]any{
			"id": fmt.Sprintf("call_scripted%04d%02d", id, i), "name": c.Tool, "args": c.Input,
		}})
	}
	tokens := max(t.InputTokens, 100)
	answer := map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]any{"promptTokenCount": tokens, "candidatesTokenCount": 10, "totalTokenCount": tokens + 10},
		"modelVersion":  "scripted", "responseId": fmt.Sprintf("scripted%04d", id),
	}
	if !r.Streamed {
		return writeJSON(w, http.StatusOK, answer)
	}
	e := newEvents(w)
	e.send("", answer)
	return e.err
}
