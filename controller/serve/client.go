package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// ErrNoController means that no controller of the current user runs in the
// repository, or that it is unreachable.
var ErrNoController = errors.New("no controller answers here")

// Client is an HTTP client of a repository's controller. It is safe for concurrent use. The caller
// must close it.
type Client struct {
	root  layout.Root
	peer  Peer
	first chan net.Conn // the connection of Dial, until a request uses it
}

// Dial connects to the controller of the repository at root. It returns
// ErrNoController if there is no reachable controller.
func Dial(ctx context.Context, root layout.Root) (*Client, error) {
	conn, peer, err := dial(ctx, root, layout.APISocket)
	if err != nil {
		return nil, err
	}
	c := &Client{root: root, peer: peer, first: make(chan net.Conn, 1)}
	c.first <- conn
	return c, nil
}

// connect returns a connection for one request, to the process that Dial connected to.
func (c *Client) connect(ctx context.Context) (net.Conn, error) {
	select {
	case conn := <-c.first:
		return conn, nil
	default:
	}
	conn, peer, err := dial(ctx, c.root, layout.APISocket)
	if err == nil && peer != c.peer {
		err = errors.Join(fmt.Errorf("%w: a new controller has replaced it", ErrNoController), conn.Close())
	}
	return conn, err
}

// Peer returns the process that answers, as reported by the system.
func (c *Client) Peer() Peer { return c.peer }

// Close closes the connection of Dial unless a request used it.
func (c *Client) Close() {
	select {
	case conn := <-c.first:
		conn.Close()
	default:
	}
}

// Ask sends a request without a body and decodes the answer into value, unless
// value is nil. If the controller refuses the request, the error has the
// controller's message.
func (c *Client) Ask(ctx context.Context, method, path string, value any) error {
	body, err := c.send(ctx, method, path, "application/json")
	if err != nil {
		return err
	}
	defer body.Close()
	if value == nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(body, maxBody))
	if err == nil {
		err = json.Unmarshal(data, value)
	}
	if err != nil {
		return fmt.Errorf("read the controller's answer to %s: %w", path, err)
	}
	return nil
}

// Question sends one of the questions of package queries and returns the encoded answer. The
// caller must close it. On any error the caller must read the files instead.
func (c *Client) Question(ctx context.Context, name string, parameters url.Values) (io.ReadCloser, error) {
	return c.send(ctx, http.MethodGet, questionPath+name+"?"+parameters.Encode(), "application/json")
}

// Watch requests all objects of one kind that match find, followed by their changes. It returns a
// stream of lines, each a queries.Event, with objects as commands print them or as table rows. A
// bookmark follows the initial objects. The stream ends if the controller ends or cannot continue;
// the caller must watch again. The caller must close the stream.
func (c *Client) Watch(ctx context.Context, kind string, find *queries.Find, rows bool) (io.ReadCloser, error) {
	path, v := objectsPath+kind, find.Values()
	if len(find.Keys) == 1 {
		path += "/" + url.PathEscape(find.Keys[0].Name)
	}
	v.Set("watch", "true")
	v.Set("sendInitialEvents", "true") // without a bookmark each minute, which would only wake up processes
	v.Set("form", "printed")
	accept := "application/json"
	if rows {
		accept += ";as=Table;v=v1;g=meta.k8s.io"
	}
	return c.send(ctx, http.MethodGet, path+"?"+v.Encode(), accept)
}

// send sends a request and returns the body of a successful response.
func (c *Client) send(ctx context.Context, method, path, accept string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://idumb"+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set(protocolHeader, strconv.Itoa(frame.Protocol))
	request.Close = true
	response, err := c.do(request)
	if err != nil {
		return nil, fmt.Errorf("request %s from the controller: %w", path, err)
	}
	if response.StatusCode < http.StatusBadRequest {
		return response.Body, nil
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("read the controller's answer to %s: %w", path, err)
	}
	var refusal Status
	if json.Unmarshal(data, &refusal) != nil || refusal.Message == "" {
		refusal.Message = string(bytes.TrimSpace(data))
	}
	return nil, fmt.Errorf("the controller answered %s: %s", path, refusal.Message)
}

// do sends a request on a connection of its own. Package http's client would link TLS.
func (c *Client) do(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	conn, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	b := &body{ctx: ctx, conn: conn, stop: context.AfterFunc(ctx, func() { conn.Close() })}
	_ = conn.SetReadDeadline(time.Now().Add(answerTimeout))
	if err = request.Write(conn); err == nil {
		var response *http.Response
		if response, err = http.ReadResponse(bufio.NewReader(conn), request); err == nil {
			_ = conn.SetReadDeadline(time.Time{})
			b.ReadCloser, response.Body = response.Body, b
			return response, nil
		}
	}
	b.stop()
	conn.Close()
	return nil, cmp.Or(ctx.Err(), err)
}

// body is the body of a response. Close also closes its connection.
type body struct {
	io.ReadCloser
	ctx  context.Context
	conn net.Conn
	stop func() bool
}

// Read returns the error of the context if it ended.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = cmp.Or(b.ctx.Err(), err)
	}
	return n, err
}

// Close closes the connection, and ends the watch of the context.
func (b *body) Close() error {
	b.stop()
	return b.conn.Close()
}

// answerTimeout is the timeout for the start of an answer. A controller that
// works answers or refuses earlier.
const answerTimeout = readyTimeout + 500*time.Millisecond

// dialTimeout is the timeout for a socket to accept. Only a socket with a long
// queue takes any time.
const dialTimeout = time.Second

// dial connects to one of the sockets, if the current user listens on it.
func dial(ctx context.Context, root layout.Root, socket string) (*net.UnixConn, Peer, error) {
	run, err := root.Open(layout.RunDir)
	if err != nil {
		return nil, Peer{}, fmt.Errorf("%w: %w", ErrNoController, err)
	}
	defer run.Close()
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, "unix", socketName(run, path.Base(socket)))
	if err != nil {
		return nil, Peer{}, fmt.Errorf("%w: %s: %w", ErrNoController, socket, withoutAddress(err))
	}
	unix := conn.(*net.UnixConn)
	peer, err := PeerOf(unix)
	if err == nil && peer.UID != os.Geteuid() {
		err = fmt.Errorf("user %d listens there, and this is user %d", peer.UID, os.Geteuid())
	}
	if err != nil {
		conn.Close()
		return nil, Peer{}, fmt.Errorf("%w: %s: %w", ErrNoController, socket, err)
	}
	return unix, peer, nil
}

// withoutAddress returns an error of package net without the socket's address, which is
// meaningless to users.
func withoutAddress(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
