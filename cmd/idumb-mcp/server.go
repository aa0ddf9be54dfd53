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

// callIDs lists the keys in a request's metadata for the host's id of the call.
var callIDs = [...]string{"claudecode/toolUseId", "callId"}

// serve answers one client until its input ends. It reports errors on stderr and continues, because
// a host that loses its server has no governance tools for the rest of its life.
func serve(ctx context.Context, service *tools.Service, client mcp.Transport, stderr io.Writer) {
	server := mcp.NewServer(&mcp.Implementation{Name: "idumb", Version: version.Current()}, &mcp.ServerOptions{
		Instructions: tools.Instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	for _, d := range tools.Definitions() {
		server.AddTool(protocolTool(d), handler(service))
	}
	if err := server.Run(ctx, client); err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.EOF) {
		fmt.Fprintln(stderr, "idumb-mcp:", err)
	}
}

// protocolTool converts a definition to a tool of the protocol. The note in _meta keeps Claude Code
// from hiding the schema until a search: the tools that unlock writing must be visible.
func protocolTool(d tools.Definition) *mcp.Tool {
	return &mcp.Tool{Meta: mcp.Meta{"anthropic/alwaysLoad": true}, Name: d.Name, Description: d.Description, InputSchema: d.Schema, Annotations: annotations(d.Name)}
}

// annotations returns annotations that mark a tool as neither destructive nor reaching outside .idumb.
// Codex asks its user before each call of a tool without them. The result is nil for govern_shell,
// because a command line may do anything.
func annotations(name string) *mcp.ToolAnnotations {
	if name == "govern_shell" {
		return nil
	}
	no := false
	return &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}
}

// handler returns the function that passes a tool call of the protocol to the service and converts
// its answer.
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

// withProgress sends the client the output of a running command, if the request has a progress
// token. Failed notifications are ignored, because the answer contains the output too.
func withProgress(ctx context.Context, r *mcp.CallToolRequest) context.Context {
	token := r.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	return tools.WithProgress(ctx, func(p tools.Progress) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: p.Text, Progress: float64(p.Bytes)})
	})
}
