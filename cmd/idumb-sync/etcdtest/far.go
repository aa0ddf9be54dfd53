package etcdtest

import (
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Far returns the address of a proxy to a server that delays each direction by
// oneWay, including the connection setup. It ends with the test.
func Far(t testing.TB, server string, oneWay time.Duration) string {
	to, err := url.Parse(server)
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go carry(near, to.Host, oneWay)
		}
	}()
	return "http://" + l.Addr().String()
}

// carry forwards both directions of a connection until either end is closed.
func carry(near net.Conn, host string, oneWay time.Duration) {
	time.Sleep(2 * oneWay)
	far, err := net.Dial("tcp", host)
	if err != nil {
		near.Close()
		return
	}
	go copyDelayed(far, near, oneWay)
	copyDelayed(near, far, oneWay)
}

// parcel is delayed data.
type parcel struct {
	arrives time.Time
	bytes   []byte
}

// copyDelayed copies data with a delay. The delay does not limit the throughput.
func copyDelayed(to, from net.Conn, delay time.Duration) {
	way := make(chan parcel, 1<<10)
	go func() {
		defer close(way)
		for {
			part := make([]byte, 32<<10)
			n, err := from.Read(part)
			if n > 0 {
				way <- parcel{time.Now().Add(delay), part[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	defer to.Close()
	defer from.Close()
	for p := range way {
		time.Sleep(time.Until(p.arrives))
		if _, err := to.Write(p.bytes); err != nil {
			break
		}
	}
	from.Close()
	for range way { // discard the rest
	}
}
