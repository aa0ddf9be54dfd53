package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is the maximal length of a message, in bytes. A longer message is answered with an
// error and skipped.
const maxMessage = 16 << 20

// transport is the stdio transport of MCP: one JSON-RPC message a line. Unlike the SDK's transport it
// answers an unreadable line with an error and continues.
type transport struct {
	input    io.ReadCloser
	incoming chan jsonrpc.Message
	closed   chan struct{}
	close    sync.Once

	mu     sync.Mutex // guards output
	output io.Writer
}

// newTransport returns a transport that does not read before Connect.
func newTransport(in io.ReadCloser, out io.Writer) *transport {
	return &transport{input: in, output: out, incoming: make(chan jsonrpc.Message), closed: make(chan struct{})}
}

// Connect implements mcp.Transport. It starts to read messages.
func (l *transport) Connect(context.Context) (mcp.Connection, error) {
	go l.readAll()
	return l, nil
}

// readAll passes readable messages to incoming until the input ends.
func (l *transport) readAll() {
	defer close(l.incoming)
	input := bufio.NewReaderSize(l.input, 64<<10)
	for err := error(nil); err == nil; {
		var line []byte
		var tooLong bool
		line, tooLong, err = readLine(input) // the last line may lack a newline
		if len(bytes.TrimSpace(line)) == 0 && !tooLong {
			continue
		}
		message, refusal := decode(line, tooLong)
		if refusal != nil {
			l.write(refusal)
			continue
		}
		select {
		case l.incoming <- message:
		case <-l.closed:
		}
	}
}

// readLine reads a line. It skips the rest of a line that is too long.
func readLine(input *bufio.Reader) (line []byte, tooLong bool, err error) {
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		var part []byte
		part, err = input.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxMessage; !tooLong {
			line = append(line, part...)
		}
	}
	return line, tooLong, err
}

// decode returns the message in a line, or a JSON-RPC error if the line contains no valid message.
func decode(line []byte, tooLong bool) (jsonrpc.Message, []byte) {
	switch {
	case tooLong:
		return nil, encodeError(nil, jsonrpc.CodeInvalidRequest, "the message is too long")
	case !json.Valid(line):
		return nil, encodeError(nil, jsonrpc.CodeParseError, "this line is not JSON")
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")):
		return nil, encodeError(nil, jsonrpc.CodeInvalidRequest, "MCP no longer supports batches: send one message per line")
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, encodeError(idOf(line), jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message: "+err.Error())
	}
	return message, nil
}

// idOf returns the id in a line that is not a valid message, or nil if it has no usable id.
func idOf(line []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 || m.ID[0] == '{' || m.ID[0] == '[' {
		return nil
	}
	return m.ID
}

// encodeError encodes a JSON-RPC error.
func encodeError(id json.RawMessage, code int, message string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}})
	if err != nil {
		return nil
	}
	return data
}

// Read returns the next message. It returns io.EOF at the end of the input.
func (l *transport) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
		return nil, io.EOF
	case message, more := <-l.incoming:
		if !more {
			return nil, io.EOF
		}
		return message, nil
	}
}

// Write writes a message.
func (l *transport) Write(ctx context.Context, message jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	return l.write(data)
}

// write writes a message as one line. It is safe for concurrent use.
func (l *transport) write(data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.output.Write(append(data, '\n'))
	return err
}

// Close stops reading.
func (l *transport) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.input.Close()
}

// SessionID returns an empty string: the transport has a single session.
func (l *transport) SessionID() string { return "" }
