// A pod picker over gRPC. protoc generates Go from contract/picker.proto; two messages with two fields each are
// short enough to be written by hand, so that this is one file.
package main

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"sort"
	"sync"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
)

// pickPodsRequest and pickPodsResponse are the messages of contract/picker.proto.
type pickPodsRequest struct {
	requested  int
	candidates []string
}

type pickPodsResponse struct {
	chosen, tied []string
}

// picker knows how many tasks each Pod has; your application calls set.
type picker struct {
	mu    sync.RWMutex
	tasks map[string]int
}

func (p *picker) set(pod string, tasks int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tasks[pod] = tasks
}

// pick chooses the least busy Pods, and ties those that are equally busy at the cut.
func (p *picker) pick(request *pickPodsRequest) *pickPodsResponse {
	p.mu.RLock()
	defer p.mu.RUnlock()
	pods := append([]string(nil), request.candidates...)
	if request.requested >= len(pods) {
		return &pickPodsResponse{chosen: pods}
	}
	sort.SliceStable(pods, func(i, j int) bool { return p.tasks[pods[i]] < p.tasks[pods[j]] })
	cut := p.tasks[pods[request.requested-1]]
	response := &pickPodsResponse{}
	for _, pod := range pods {
		switch tasks := p.tasks[pod]; {
		case tasks < cut:
			response.chosen = append(response.chosen, pod)
		case tasks == cut:
			response.tied = append(response.tied, pod)
		}
	}
	return response
}

func (p *picker) handle(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	if !isKnown(ctx) {
		return nil, status.Error(codes.Unauthenticated, "no token")
	}
	request := &pickPodsRequest{}
	if err := decode(request); err != nil {
		return nil, status.Error(codes.InvalidArgument, "no question")
	}
	if request.requested < 1 {
		return nil, status.Error(codes.InvalidArgument, "number_of_pods_requested must be at least 1")
	}
	return p.pick(request), nil
}

func isKnown(ctx context.Context) bool {
	want := []byte("Bearer " + os.Getenv("TOKEN"))
	for _, shown := range metadata.ValueFromIncomingContext(ctx, "authorization") {
		if subtle.ConstantTimeCompare([]byte(shown), want) == 1 {
			return true
		}
	}
	return false
}

// codec reads and writes the two messages.
type codec struct{}

func (codec) Name() string { return "proto" }

func (codec) Marshal(message any) ([]byte, error) {
	response, ok := message.(*pickPodsResponse)
	if !ok {
		return nil, errors.New("not a PickPodsResponse")
	}
	var bytes []byte
	for number, names := range map[protowire.Number][]string{1: response.chosen, 2: response.tied} {
		for _, name := range names {
			bytes = protowire.AppendString(protowire.AppendTag(bytes, number, protowire.BytesType), name)
		}
	}
	return bytes, nil
}

func (codec) Unmarshal(bytes []byte, message any) error {
	request, ok := message.(*pickPodsRequest)
	if !ok {
		return errors.New("not a PickPodsRequest")
	}
	for len(bytes) > 0 {
		number, kind, length := protowire.ConsumeTag(bytes)
		if length < 0 {
			return protowire.ParseError(length)
		}
		bytes = bytes[length:]
		switch {
		case number == 1 && kind == protowire.VarintType:
			var value uint64
			value, length = protowire.ConsumeVarint(bytes)
			request.requested = int(int32(value))
		case number == 2 && kind == protowire.BytesType:
			var name string
			name, length = protowire.ConsumeString(bytes)
			request.candidates = append(request.candidates, name)
		default:
			length = protowire.ConsumeFieldValue(number, kind, bytes)
		}
		if length < 0 {
			return protowire.ParseError(length)
		}
		bytes = bytes[length:]
	}
	return nil
}

func main() {
	if os.Getenv("TOKEN") == "" {
		log.Fatal("TOKEN is required")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(os.Getenv("HOST"), port))
	if err != nil {
		log.Fatal(err)
	}
	p := &picker{tasks: map[string]int{}}
	server := grpc.NewServer(grpc.ForceServerCodec(codec{}))
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "trimtab.picker.v1.DownscalePodPicker",
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "PickPods", Handler: p.handle}},
	}, p)

	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go func() {
		<-stop.Done()
		server.GracefulStop()
	}()
	fmt.Printf("listening on %d\n", listener.Addr().(*net.TCPAddr).Port)
	if err := server.Serve(listener); err != nil {
		log.Fatal(err)
	}
}
