package serve

import (
	"bytes"
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
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// ErrNobody says that nobody serves in the repository: no controller of this user's runs
// there, or it cannot be reached.
var ErrNobody = errors.New("no controller answers here")

// Client asks the controller of a repository over HTTP. It holds one connection. Close it.
type Client struct {
	http http.Client
	peer Peer
}

// Dial connects to the controller of the repository at root. ErrNobody.
func Dial(ctx context.Context, root layout.Root) (*Client, error) {
	conn, peer, err := dial(ctx, root, layout.APISocket)
	if err != nil {
		return nil, err
	}
	c := &Client{peer: peer}
	once := make(chan net.Conn, 1)
	once <- conn
	c.http.Transport = &http.Transport{DisableCompression: true, ResponseHeaderTimeout: answerPatience, DialContext: func(context.Context, string, string) (net.Conn, error) {
		select {
		case conn := <-once:
			return conn, nil
		default: // the first one is spent
			conn, now, err := dial(ctx, root, layout.APISocket)
			if err == nil && now != peer {
				err = errors.Join(fmt.Errorf("%w any more: another one took its place", ErrNobody), conn.Close())
			}
			return conn, err
		}
	}}
	return c, nil
}

// Peer is who answers, as the system knows it.
func (c *Client) Peer() Peer { return c.peer }

// Close hangs up.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Ask sends a request without a body and reads the answer into value, unless that is nil.
// What the controller refuses is an error in its words.
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

// Question asks one of package questions and returns the answer as it is sent. Close it. On
// any error the files are to be read.
func (c *Client) Question(ctx context.Context, name string, parameters url.Values) (io.ReadCloser, error) {
	return c.send(ctx, http.MethodGet, questionPath+name+"?"+parameters.Encode(), "application/json")
}

// Watch asks for all objects of a find that are of one kind, and then for what changes, as lines
// that are each a questions.Event: with the objects as commands print them, or as rows of a
// table. A bookmark stands behind those that are there at the beginning. Close it. An end says
// that the controller ends, or cannot go on: watch again.
func (c *Client) Watch(ctx context.Context, kind string, find *questions.Find, rows bool) (io.ReadCloser, error) {
	path, v := objectsPath+kind, find.Values()
	if len(find.Keys) == 1 {
		path += "/" + url.PathEscape(find.Keys[0].Name)
	}
	v.Set("watch", "true")
	v.Set("sendInitialEvents", "true") // and no bookmark each minute: nobody is woken for nothing
	v.Set("form", "printed")
	accept := "application/json"
	if rows {
		accept += ";as=Table;v=v1;g=meta.k8s.io"
	}
	return c.send(ctx, http.MethodGet, path+"?"+v.Encode(), accept)
}

// send sends a request and returns the body of an answer that is no refusal.
func (c *Client) send(ctx context.Context, method, path, accept string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://idumb"+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set(protocolHeader, strconv.Itoa(frame.Protocol))
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask the controller for %s: %w", path, err)
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

// answerPatience is how long the controller may take to begin its answer: longer than it
// takes to say that it cannot. Longer takes only one that hangs.
const answerPatience = patience + 500*time.Millisecond

// dialPatience is how long a socket may take to accept. Only one with a long queue takes any
// time.
const dialPatience = time.Second

// dial connects to one of the sockets, if it is this user who listens.
func dial(ctx context.Context, root layout.Root, socket string) (*net.UnixConn, Peer, error) {
	run, err := root.Open(layout.RunDir)
	if err != nil {
		return nil, Peer{}, fmt.Errorf("%w: %w", ErrNobody, err)
	}
	defer run.Close()
	dialer := net.Dialer{Timeout: dialPatience}
	conn, err := dialer.DialContext(ctx, "unix", socketName(run, path.Base(socket)))
	if err != nil {
		return nil, Peer{}, fmt.Errorf("%w: %s: %w", ErrNobody, socket, plain(err))
	}
	unix := conn.(*net.UnixConn)
	peer, err := PeerOf(unix)
	if err == nil && peer.UID != os.Geteuid() {
		err = fmt.Errorf("user %d listens there, and this is user %d", peer.UID, os.Geteuid())
	}
	if err != nil {
		conn.Close()
		return nil, Peer{}, fmt.Errorf("%w: %s: %w", ErrNobody, socket, err)
	}
	return unix, peer, nil
}

// plain takes the name off an error of package net: it is one that nobody knows.
func plain(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
