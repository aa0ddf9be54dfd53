package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/cmd/internal/version"
)

// callIDs are the names under which hosts send their own id of a call.
var callIDs = [...]string{"claudecode/toolUseId", "callId"}

// serve answers one client until its input ends. What goes wrong on the way is
// said on stderr and is no reason to leave: a host whose server is gone has none
// of these tools for the rest of its life.
func serve(ctx context.Context, service *tools.Service, client mcp.Transport, stderr io.Writer) {
	server := mcp.NewServer(&mcp.Implementation{Name: "idumb", Version: version.Of()}, &mcp.ServerOptions{
		Instructions: tools.Instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	for _, d := range tools.Definitions() {
		server.AddTool(announced(d), handler(service))
	}
	if err := server.Run(ctx, client); err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.EOF) {
		fmt.Fprintln(stderr, "idumb-mcp:", err)
	}
}

// announced is a definition as the protocol has it. The note in _meta keeps Claude
// Code from hiding the schema behind a search: what opens the gate must be in sight.
func announced(d tools.Definition) *mcp.Tool {
	return &mcp.Tool{Meta: mcp.Meta{"anthropic/alwaysLoad": true}, Name: d.Name, Description: d.Description, InputSchema: d.Schema, Annotations: hints(d.Name)}
}

// hints say of what touches nothing but .idumb that it neither destroys nor reaches out:
// Codex asks its person before each call of a tool that does not say so. A command line may
// do anything.
func hints(name string) *mcp.ToolAnnotations {
	if name == "govern_shell" {
		return nil
	}
	no := false
	return &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}
}

func handler(service *tools.Service) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		request := tools.Request{Tool: r.Params.Name, Arguments: r.Params.Arguments}
		if info := r.ClientInfo(); info != nil {
			request.Client = info.Name
		}
		for _, name := range callIDs {
			if id, ok := r.Params.Meta[name].(string); ok && request.CallID == "" {
				request.CallID = id
			}
		}
		answer := service.Call(withProgress(ctx, r), request)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(answer.JSON)}}, IsError: answer.Error}, nil
	}
}

// withProgress has the client told what a command writes while it runs, if it has asked
// for that by a token. What cannot be told is left out: the answer holds it as well.
func withProgress(ctx context.Context, r *mcp.CallToolRequest) context.Context {
	token := r.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	return tools.WithProgress(ctx, func(p tools.Progress) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: p.Text, Progress: float64(p.Bytes)})
	})
}
